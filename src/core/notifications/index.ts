export type { NotificationChannel } from './channel.ts'
export { addChannel, listChannels, removeChannel } from './manage-channels.ts'
export { sendNotification, testChannel } from './send-notification.ts'
export type { ServiceName } from './services/index.ts'
