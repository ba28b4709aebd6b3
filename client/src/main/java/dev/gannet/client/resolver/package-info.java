/**
 * Name resolution: from a channel's target to its endpoints. Applications and libraries can plug in
 * resolvers for their own schemes.
 *
 * <p>Does not belong here: connections, calls, and which endpoint is used.
 */
@NullMarked
package dev.gannet.client.resolver;

import org.jspecify.annotations.NullMarked;
