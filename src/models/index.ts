/** The face of the models room: finding a model and listing them. Wires and the demo are loaded behind it, one at a time. */
export { type FindModelDeps, type FoundModel, findModel } from "./find-model.js";
export { type LocalServerState, listLocalServers, listModels } from "./list-models.js";
export { priceOf } from "./price.js";
