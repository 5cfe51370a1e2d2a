import { createPasswordHashing, type PasswordHashing } from '../../src/core/platform/credentials/index.ts'

/**
 * Hashes passwords at the lowest cost that argon2 has, for tests that do not test the cost: a hash of the product takes five hundred times
 * as long. The product reads the cost of a stored hash from the hash.
 */
export function cheapPasswordHashing(): PasswordHashing {
  return createPasswordHashing({ memoryKibibytes: 8, passes: 1, parallelism: 1 })
}
