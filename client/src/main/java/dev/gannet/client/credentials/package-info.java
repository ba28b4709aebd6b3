/**
 * Call credentials as the engine asks them: the headers that they provide for an attempt, what they
 * learn of the attempts before it, and with which statuses they, like all that decides about calls
 * in the client, may end a call.
 *
 * <p>What does not belong here: when an attempt asks them, and how it waits for them.
 */
@NullMarked
package dev.gannet.client.credentials;

import org.jspecify.annotations.NullMarked;
