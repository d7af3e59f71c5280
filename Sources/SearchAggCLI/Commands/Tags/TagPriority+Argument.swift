internal import ArgumentParser
internal import TagStorage

extension TagPriority: ExpressibleByArgument {}
