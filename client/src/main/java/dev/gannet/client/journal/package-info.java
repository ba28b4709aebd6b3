/**
 * What a channel keeps for those who look for the cause of a failure: counts, events, and addresses
 * that cannot be reached.
 *
 * <p>What does not belong here: states, which are asked where they are.
 */
@NullMarked
package dev.gannet.client.journal;

import org.jspecify.annotations.NullMarked;
