/// The right to deliver to a receiver, as long as the value lives.
package protocol DeliveryLock: AnyObject {}
