/// The setting of the line that shows how far a run is.
package enum ProgressMode: String, CaseIterable, Sendable { case auto, always, never }
