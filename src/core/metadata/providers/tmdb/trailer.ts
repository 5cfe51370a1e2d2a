type Video = {
  site: string | null
  type: string | null
  key: string | null
  official: boolean
  iso_639_1: string | null
}

/** Builds the URL of a trailer by site. The key is validated because it becomes part of a URL. */
const SITES: Readonly<Record<string, (key: string) => string | undefined>> = {
  YouTube: (key) => (/^[\w-]{6,20}$/.test(key) ? `https://www.youtube.com/watch?v=${key}` : undefined),
  Vimeo: (key) => (/^\d{4,15}$/.test(key) ? `https://vimeo.com/${key}` : undefined),
}

const TYPES = ['Trailer', 'Teaser']

/** The trailer to show: a trailer before a teaser, an official one before others, the wanted language before others. */
export function chooseTrailer(videos: readonly Video[], language: string): Record<string, unknown> {
  const watchable = videos.flatMap((video) => {
    const { site, key, type } = video
    const url = Object.hasOwn(SITES, site ?? '') ? SITES[site ?? '']?.(key ?? '') : undefined
    return url === undefined || !TYPES.includes(type ?? '') ? [] : [{ ...video, url }]
  })
  const [best] = watchable.toSorted((one, other) => rank(one, language) - rank(other, language))
  return best === undefined ? {} : { trailer_url: best.url, trailer_key: best.key, trailer_site: best.site }
}

function rank({ type, official, iso_639_1 }: Video, language: string): number {
  return TYPES.indexOf(type ?? '') * 4 + (official ? 0 : 2) + (iso_639_1 === language ? 0 : 1)
}
