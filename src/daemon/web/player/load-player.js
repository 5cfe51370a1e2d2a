/**
 * The player of `player.js`, which is loaded when something plays: who only browses does not need it. The calls reach it in their order, also
 * while it is being loaded; none waits for the end of the one before, because a start may wait for the user.
 * @param {HTMLVideoElement} video
 * @param {Parameters<typeof import('./player.js').createPlayer>[1]} listeners
 * @param {Parameters<typeof import('./player.js').createPlayer>[2]} [source]
 * @returns {{prepare(): void, start(item: object, options?: {isHeld?: boolean}): Promise<boolean>, stop(): Promise<void>, choose(menu: string, value: string): Promise<void>, adapt(facts: object): Promise<void>}}
 */
export function createPlayer(video, listeners, source) {
  /** @type {Promise<ReturnType<typeof import('./player.js').createPlayer>> | undefined} */
  let loading
  /** Resolves when the last call has begun. */
  let begun = Promise.resolve()

  function load() {
    loading ??= import('./player.js').then(
      (module) => module.createPlayer(video, listeners, source),
      (error) => {
        // The next film tries again.
        loading = undefined
        throw new Error('The player could not be loaded. Reload the page.', { cause: error })
      },
    )
    return loading
  }

  /** A player that could not be loaded plays nothing. */
  const loaded = async () => loading?.catch(() => undefined)

  function callInOrder(findPlayer, work) {
    const found = begun.then(findPlayer)
    const result = found.then(work)
    begun = found.then(
      () => {},
      () => {},
    )
    return result
  }

  return {
    /** Loads it, without waiting. */
    prepare: () => void load().catch(() => {}),
    start: (item, options) => callInOrder(load, (player) => player.start(item, options)),
    stop: () => callInOrder(loaded, (player) => player?.stop()),
    choose: (menu, value) => callInOrder(loaded, (player) => player?.choose(menu, value)),
    adapt: (facts) => callInOrder(loaded, (player) => player?.adapt(facts)),
  }
}
