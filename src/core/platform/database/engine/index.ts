export { checkEngineFiles, repairEngineFiles, type EngineFiles } from './engine-files.ts'
export { hasCluster, syncCluster } from './prepare-cluster.ts'
export { RESTORE_JOURNAL } from './restore-journal.ts'
export { isEngineRunning, joinEngine, type EngineLease } from './join-engine.ts'
