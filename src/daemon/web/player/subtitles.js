/**
 * Subtitles of a video element as its own tracks, of which at most one is shown.
 * @param {HTMLVideoElement} video
 * @param {(value: string) => void} onChosen called when the user selects a track in the browser's own controls, with its index, or with an empty text for none
 */
export function createSubtitles(video, onChosen) {
  /** @type {Map<string, HTMLTrackElement>} by index */
  let tracks = new Map()
  /** The index of the selected track, or an empty text for none. */
  let wanted = ''

  // While a file is loaded, browsers also enable tracks by language.
  for (const event of ['loadedmetadata', 'loadeddata']) video.addEventListener(event, () => show(wanted))

  video.textTracks.addEventListener('change', () => {
    if (tracks.size === 0 || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return
    const shown = [...tracks].filter(([, element]) => element.track.mode === 'showing').map(([index]) => index)
    // The user selects one track or none.
    if (shown.length > 1) return show(wanted)
    wanted = shown[0] ?? ''
    onChosen(wanted)
  })

  function show(value) {
    wanted = value
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
