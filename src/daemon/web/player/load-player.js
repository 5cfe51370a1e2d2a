/**
 * The player of `player.js`, which is loaded when something plays: who only browses does not need it. The calls reach it in their order.
 * @param {HTMLVideoElement} video
 * @param {Parameters<typeof import('./player.js').createPlayer>[1]} listeners
 * @param {Parameters<typeof import('./player.js').createPlayer>[2]} [source]
 * @returns {{prepare(): void, start(item: object, options?: {isHeld?: boolean}): Promise<boolean>, stop(): Promise<void>, choose(menu: string, value: string): Promise<void>}}
 */
export function createPlayer(video, listeners, source) {
  /** @type {Promise<ReturnType<typeof import('./player.js').createPlayer>> | undefined} */
  let loading

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

  return {
    /** Loads it, without waiting. */
    prepare: () => void load().catch(() => {}),
    start: async (item, options) => (await load()).start(item, options),
    // A player that could not be loaded plays nothing.
    stop: async () => (await loading?.catch(() => undefined))?.stop(),
    choose: async (menu, value) => (await loading?.catch(() => undefined))?.choose(menu, value),
  }
}
