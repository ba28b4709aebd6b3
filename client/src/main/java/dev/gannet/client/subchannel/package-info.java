/**
 * One address and its connections (gRFC A61), and which of them carries an attempt: picks, attempts
 * that wait for one, and what a channel learns from its connections. An attempt is known here as
 * {@code PendingAttempt} alone.
 *
 * <p>What does not belong here: calls, and where addresses come from.
 */
@NullMarked
package dev.gannet.client.subchannel;

import org.jspecify.annotations.NullMarked;
