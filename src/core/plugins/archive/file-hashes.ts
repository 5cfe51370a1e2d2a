/** SHA-256 in hexadecimal of each file, by its path relative to the plugin's folder. */
export type FileHashes = Readonly<Record<string, string>>
