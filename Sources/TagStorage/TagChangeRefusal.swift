package import SearchModel

/// Why a change of the list was refused as a whole.
package enum TagChangeRefusal: Error, Hashable, Sendable {
  /// These are in the list already.
  case present([Query])
  /// These are not in the list.
  case absent([Query])
}
