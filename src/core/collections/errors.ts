import { defineErrors } from '../platform/errors/index.ts'

export const collectionErrors = defineErrors({
  collection_not_found: { kind: 'not_found', title: 'Collection not found', doc: 'No collection has this id.' },
  missing_name: { kind: 'invalid', title: 'name is required', doc: 'A collection needs a name as text.' },
  missing_library_id: { kind: 'invalid', title: 'library_id is required', doc: 'A collection belongs to a library.' },
  missing_items: {
    kind: 'invalid',
    title: 'media_item_ids is required',
    doc: 'The list of items to add is missing, empty or not a list, and there is no query.',
  },
  invalid_parent: {
    kind: 'invalid',
    title: 'Invalid parent',
    doc: 'The parent of a collection is unknown, belongs to another library, is the collection itself or inside it, or the nesting would be too deep.',
  },
  too_many_collections: {
    kind: 'conflict',
    title: 'Too many collections',
    doc: 'The account has 500 collections, the maximum; `limit` has the number. Delete others first.',
  },
  too_many_collection_items: {
    kind: 'conflict',
    title: 'Too many items in collections',
    doc: 'The collections of the owner would contain more than 200,000 items in total; `limit` has the number. Nothing was added.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A field of the body has an invalid value; `field` names it.',
  },
  not_owner: {
    kind: 'forbidden',
    title: 'Not the owner',
    doc: 'The collection belongs to another user; only its owner and administrators may change it.',
  },
  not_smart: {
    kind: 'invalid',
    title: 'Collection is not smart',
    doc: 'Only a collection with a smart playlist can be refreshed.',
  },
  item_of_other_library: {
    kind: 'invalid',
    title: 'Item of another library',
    doc: 'A collection contains only items of its own library; `media_item_id` is the id of an item of another library.',
  },
})
