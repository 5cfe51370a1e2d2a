/** Posts a sentence for each event to an incoming webhook that takes {"text": "…"}, as Slack, Mattermost and Rocket.Chat do. */
export default class Chat {
  onEnable({ settings, http }) {
    this.settings = settings
    this.http = http
  }

  subscribedEvents() {
    return {
      'playback.started': (event) => this.post(`playback of ${event.mediaItemId} began`),
      'library.scan.completed': (event) =>
        this.post(`a scan added ${event.itemsAdded} and removed ${event.itemsRemoved}`),
      'user.created': (event) => this.post(`${event.username} has an account now`),
    }
  }

  async post(text) {
    const { status } = await this.http.request({
      url: this.settings.url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: `${this.settings.prefix}: ${text}` }),
    })
    if (status >= 300) throw new Error(`the chat service answered with status ${status}`)
  }
}
