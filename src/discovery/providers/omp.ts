import { repositoryProvider } from "../repository.js";

/** oh-my-pi: its rules have the keys that ours have (`condition` is the trigger). Folders in folders are read, as its users ask of it. */
export const ompProvider = repositoryProvider("omp", 80, [
  { folder: ".omp/rules" },
  { folder: ".agent/rules" },
  { folder: ".agents/rules" },
]);
