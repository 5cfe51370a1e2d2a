/** In seasons with at most this number of episodes, each episode is compared with every other. */
const MAX_COMPLETE = 24
/** In larger seasons each episode is compared with this number of neighbours before and after it. */
const NEIGHBOURS = 4
/**
 * In larger seasons each episode is also compared with this number of evenly spread others, so that a motif that changes within the season
 * is found in both parts.
 */
const DISTANT = 4

/** The pairs of episodes to compare; their number grows linearly in large seasons. */
export function pairsToCompare(episodeCount: number): [number, number][] {
  const pairs = new Map<string, [number, number]>()
  const add = (one: number, other: number): void => {
    if (one !== other && other >= 0 && other < episodeCount)
      pairs.set(`${Math.min(one, other)}-${Math.max(one, other)}`, [Math.min(one, other), Math.max(one, other)])
  }
  for (let episode = 0; episode < episodeCount; episode += 1) {
    if (episodeCount <= MAX_COMPLETE) {
      for (let other = episode + 1; other < episodeCount; other += 1) add(episode, other)
      continue
    }
    for (let distance = 1; distance <= NEIGHBOURS; distance += 1) add(episode, episode + distance)
    for (let step = 1; step <= DISTANT; step += 1)
      add(episode, (episode + Math.round((step * episodeCount) / (DISTANT + 1))) % episodeCount)
  }
  return [...pairs.values()]
}
