/// The right to deliver to a receiver, or to print new posts, as long as the value lives.
package protocol DeliveryLock: AnyObject {}
