import type { PlayDay, TopItem, TopUser } from '../statistics/index.ts'

/** The plays of a day in UTC. `total_duration` is in seconds. */
export function playDayView({ day, playCount, completedCount, watchedSeconds }: PlayDay) {
  return { date: day, play_count: playCount, total_duration: watchedSeconds, completed_count: completedCount }
}

/** The plays of an account. `total_watch_time` is in seconds. */
export function topUserView({ userId, watchedSeconds, playCount }: TopUser) {
  return { user_id: userId, total_watch_time: watchedSeconds, play_count: playCount }
}

/** A row of top users with the name of the account, for administrators. */
export function namedTopUserView(user: TopUser) {
  return { ...topUserView(user), username: user.username }
}

/** The plays of an item. `total_duration` is in seconds. */
export function topItemView({ item, playCount, watchedSeconds }: TopItem) {
  return { media_item_id: item.id, play_count: playCount, total_duration: watchedSeconds }
}

/** A row of top items with the title and type of the item. */
export function namedTopItemView(top: TopItem) {
  return { ...topItemView(top), title: top.item.name, media_type: top.item.type }
}
