import { repositoryProvider } from "../repository.js";

/** `.rules/` of the repository: our own format. */
export const projectProvider = repositoryProvider("project", 90, [{ folder: ".rules" }]);
