/**
 * Titles from a JSON file of your own, for films and series that no public database has:
 * {"titles": [{"id": "1", "kind": "movie", "name": "…", "year": 1999, "overview": "…", "poster": "https://…",
 *   "seasons": [{"number": 1, "episodes": [{"number": 1, "name": "…"}]}]}]}
 */
const KEEP_MILLISECONDS = 60_000

export default class Catalogue {
  onEnable({ settings, http }) {
    this.settings = settings
    this.http = http
  }

  async searchTitles({ kind, title }) {
    const wanted = keyOf(title)
    const titles = await this.titles()
    return titles
      .filter((one) => one.kind === kind && keyOf(one.name).includes(wanted))
      .map(({ id, name, year, overview, poster }) => ({ id, title: name, year, overview, poster }))
  }

  async findTitle({ kind, ids }) {
    const titles = await this.titles()
    const found = titles.find(
      (one) => one.kind === kind && ids.imdb !== undefined && one.external_ids?.imdb === ids.imdb,
    )
    return found?.id ?? null
  }

  async readTitle({ kind, id }) {
    const titles = await this.titles()
    return titles.find((one) => one.kind === kind && String(one.id) === id) ?? null
  }

  async readSeason({ id, number }) {
    const title = await this.readTitle({ kind: 'tv', id })
    return title?.seasons?.find((season) => season.number === number) ?? null
  }

  async titles() {
    if (this.read === undefined || Date.now() - this.readAt > KEEP_MILLISECONDS) {
      this.readAt = Date.now()
      this.read = this.request()
      // A failure is not kept.
      this.read.catch(() => (this.read = undefined))
    }
    return this.read
  }

  async request() {
    const { status, body } = await this.http.request({ url: this.settings.url })
    if (status !== 200) throw new Error(`the catalogue answers with status ${status}`)
    return JSON.parse(body).titles
  }
}

function keyOf(text) {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
