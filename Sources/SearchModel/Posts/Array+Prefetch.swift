internal import CProcessor

extension Array {
  /// Asks for the memory of an element, as that of a large array is not in the processor's caches.
  func prefetch(_ index: Int) {
    withUnsafeBufferPointer { elements in
      guard elements.indices.contains(index) else { return }
      CProcessor.prefetch(elements.baseAddress.map { $0 + index })
    }
  }
}
