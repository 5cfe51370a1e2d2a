export { hasCluster } from './prepare-cluster.ts'
export { joinEngine, type EngineLease } from './join-engine.ts'
