/** The face of the models room: finding a model and listing them. Wires and the demo are loaded behind it, one at a time. */
export { type FindModelDeps, type FoundModel, findModel } from "./find-model.js";
export { type ListedModel, listModels, type ModelList } from "./list-models.js";
export { THINKING_LEVELS } from "./model-spec.js";
export { priceOf } from "./price.js";
