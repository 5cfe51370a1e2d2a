/** Checks names and passwords at a web server that protects an address by HTTP Basic authentication, as with an htpasswd file. */
export default class PasswordService {
  onEnable({ settings, http }) {
    this.settings = settings
    this.http = http
  }

  async checkPassword({ username, password }) {
    // Basic authentication ends the name at the first colon.
    if (username.includes(':')) return null
    const credentials = Buffer.from(`${username}:${password}`).toString('base64')
    const { status } = await this.http.request({
      url: this.settings.url,
      headers: { authorization: `Basic ${credentials}` },
    })
    if (status === 401 || status === 403) return null
    if (status >= 300) throw new Error(`the service answers with status ${status}`)
    return { subject: username.toLowerCase(), username }
  }
}
