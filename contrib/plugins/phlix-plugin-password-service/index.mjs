import { randomUUID } from 'node:crypto'

/** Checks names and passwords at a web server that protects an address by HTTP Basic authentication, as with an htpasswd file. */
export default class PasswordService {
  async onEnable({ settings, http }) {
    this.settings = settings
    this.http = http
    // A service that cannot be reached now is checked before the first password, so that its outage does not prevent the start.
    await this.checkProtection().catch((error) => {
      if (error instanceof Unprotected) throw error
    })
  }

  async checkPassword({ username, password }) {
    // Basic authentication ends the name at the first colon.
    if (username.includes(':')) return null
    if (!this.isProtected) await this.checkProtection()
    const status = await this.request(username, password)
    if (status === 401 || status === 403) return null
    if (status >= 300) throw new Error(`the service answers with status ${status}`)
    return { subject: username, username }
  }

  /** An address that is open to everybody would accept each password. */
  async checkProtection() {
    const status = await this.request(randomUUID(), randomUUID())
    if (status >= 500) throw new Error(`the service answers with status ${status}`)
    if (status !== 401 && status !== 403) throw new Unprotected(`the address is not protected: status ${status}`)
    this.isProtected = true
  }

  async request(username, password) {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const { status } = await this.http.request({ url: this.settings.url, headers: { authorization } })
    return status
  }
}

class Unprotected extends Error {}
