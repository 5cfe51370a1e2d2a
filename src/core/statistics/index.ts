export { listActivity, type Activity } from './activity.ts'
export {
  listPlayDays,
  listTopItems,
  listTopUsers,
  rebuildPlayDays,
  sinceDays,
  type PlayDay,
  type TopItem,
  type TopUser,
} from './played.ts'
export { listStorage, watchStorage, type StorageSnapshot } from './storage.ts'
