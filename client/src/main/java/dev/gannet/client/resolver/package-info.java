/**
 * Name resolution: from a channel's target to the endpoints behind it. Applications and libraries
 * may plug in resolvers for schemes of their own.
 *
 * <p>What does not belong here: connections, calls, and which endpoint is used.
 */
@NullMarked
package dev.gannet.client.resolver;

import org.jspecify.annotations.NullMarked;
