/**
 * What is decided and kept for further attempts of a call (gRFC A6): the policy of its method,
 * which attempts there are, when the next attempt follows, throttling, the request that may be sent
 * again, and its limits. No class here knows a call or a connection.
 *
 * <p>What does not belong here: how an attempt is made, which is {@code client.call}'s.
 */
@NullMarked
package dev.gannet.client.retry;

import org.jspecify.annotations.NullMarked;
