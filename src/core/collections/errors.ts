import { defineErrors } from '../platform/errors/index.ts'

export const collectionErrors = defineErrors({
  collection_not_found: { kind: 'not_found', title: 'Collection not found', doc: 'No collection has this id.' },
  missing_name: { kind: 'invalid', title: 'name is required', doc: 'A collection needs a name as text.' },
  missing_library_id: { kind: 'invalid', title: 'library_id is required', doc: 'A collection belongs to a library.' },
  missing_items: {
    kind: 'invalid',
    title: 'media_item_ids is required',
    doc: 'The list of items to add is missing, empty or no list, and no query says what to look for.',
  },
  invalid_parent: {
    kind: 'invalid',
    title: 'Invalid parent',
    doc: 'The parent of a collection is unknown, of another library, the collection itself or inside it, or too deep down.',
  },
  too_many_collections: {
    kind: 'conflict',
    title: 'Too many collections',
    doc: 'The account has 500 collections, which is the most; `limit` says so. Others have to be deleted first.',
  },
  too_many_collection_items: {
    kind: 'conflict',
    title: 'Too many items in collections',
    doc: 'The collections of their maker would hold more than 200,000 items together; `limit` says so. Nothing was added.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A field of the body has a form that is not allowed; `field` names it.',
  },
  not_owner: {
    kind: 'forbidden',
    title: 'Not the owner',
    doc: 'The collection was made by somebody else; its maker and administrators may change it.',
  },
  not_smart: {
    kind: 'invalid',
    title: 'Collection is not smart',
    doc: 'Only a collection with a smart playlist can be refreshed.',
  },
  item_of_other_library: {
    kind: 'invalid',
    title: 'Item of another library',
    doc: 'A collection holds items of its own library; `media_item_id` names one that is not.',
  },
})
