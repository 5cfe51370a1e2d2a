export { objectStorageErrors } from './errors.ts'
export {
  openObjectStorage,
  type ObjectStorage,
  type OpenUpload,
  type StoredObject,
  type UploadedPart,
} from './object-storage.ts'
