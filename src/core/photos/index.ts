export { writePhotos, type PhotoWrite } from './write-photos.ts'
