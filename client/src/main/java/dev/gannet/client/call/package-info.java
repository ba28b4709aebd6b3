/**
 * A call of the client from its start to its end, and its attempts. What it needs of its channel is
 * {@code CallOwner}.
 *
 * <p>What does not belong here: how connections are made and chosen.
 */
@NullMarked
package dev.gannet.client.call;

import org.jspecify.annotations.NullMarked;
