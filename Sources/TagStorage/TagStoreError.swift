package import SafeFiles

/// Why the stored tags were not read or changed; in every case the file is as it was.
package enum TagStoreError: Error, Hashable, Sendable {
  case unreadable(FileReadError)
  case unwritable(FileWriteError)
  case malformed(MalformedTags)
  case refused(TagChangeRefusal)
}
