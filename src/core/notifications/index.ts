export { CHANNEL_EVENTS, type Channel } from './channel.ts'
export { addChannel, listChannels, removeChannel } from './keep-channels.ts'
export { sendNotification, testChannel } from './send-notification.ts'
export { SERVICE_NAMES } from './services/index.ts'
