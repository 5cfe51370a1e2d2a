/** A program outside of the server that finds subtitles: a plugin. Its results are not trusted. */
export type SubtitleProvider = {
  name: string
  /**
   * Calls one of the methods that docs/plugins.md lists for subtitle providers.
   * @returns JSON that is not checked; null: unknown
   * @throws AppError if it does not answer; the reason of the signal
   */
  ask(method: 'searchSubtitles' | 'downloadSubtitle', question: object, signal?: AbortSignal): Promise<unknown>
}

/** The providers that the administrator has enabled, by name. They change while the server runs. */
export type ListSubtitleProviders = () => readonly SubtitleProvider[]
