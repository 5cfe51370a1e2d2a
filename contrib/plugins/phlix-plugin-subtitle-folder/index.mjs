/**
 * Subtitles from a folder of a web server. Its index.json lists them:
 * {"subtitles": [{"file": "metropolis.en.srt", "title": "Metropolis", "year": 1927, "language": "en"}]}
 */
export default class SubtitleFolder {
  onEnable({ settings, http }) {
    this.settings = settings
    this.http = http
  }

  async searchSubtitles({ title, year, languages }) {
    const { subtitles } = JSON.parse(await this.get('index.json'))
    return subtitles
      .filter((one) => one.title.toLowerCase() === title.toLowerCase() && (year === null || one.year === year))
      .filter((one) => languages.length === 0 || languages.includes(one.language))
      .map(({ file, language }) => ({
        id: file,
        language,
        format: file.split('.').at(-1),
        release_name: file,
        matched_by: 'title',
      }))
  }

  async downloadSubtitle({ id }) {
    return { text: await this.get(id) }
  }

  async get(file) {
    const url = new URL(encodeURIComponent(file), this.settings.url.replace(/\/*$/, '/'))
    const { status, body, encoding } = await this.http.request({ url: url.href })
    if (status !== 200) throw new Error(`the server answers with status ${status}`)
    if (encoding !== 'utf8') throw new Error(`${file} is not UTF-8`)
    return body
  }
}
