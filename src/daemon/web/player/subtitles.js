/**
 * Subtitles of a video element as its own tracks, of which at most one is shown.
 * @param {HTMLVideoElement} video
 * @param {(value: string) => void} onChosen told when somebody chooses in the browser's own controls: a track's index, or empty
 */
export function createSubtitles(video, onChosen) {
  /** @type {Map<string, HTMLTrackElement>} by index */
  let tracks = new Map()

  video.textTracks.addEventListener('change', () => {
    const shown = [...tracks].find(([, element]) => element.track.mode === 'showing')
    if (tracks.size > 0) onChosen(shown?.[0] ?? '')
  })

  function show(value) {
    for (const [index, { track }] of tracks) track.mode = index === value ? 'showing' : 'disabled'
  }

  return {
    show,
    /** @param {{index: number, label: string, language: string, url: string}[]} offered */
    offer(offered, value) {
      tracks = new Map(offered.map((subtitle) => [String(subtitle.index), elementOf(subtitle)]))
      video.replaceChildren(...tracks.values())
      show(value)
    },
    clear() {
      tracks = new Map()
      video.replaceChildren()
    },
  }
}

function elementOf({ label, language, url }) {
  const element = document.createElement('track')
  element.kind = 'subtitles'
  element.label = label
  if (language !== 'und') element.srclang = language
  element.src = url
  return element
}
