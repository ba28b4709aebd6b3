/**
 * Statuses with details: {@code google.rpc.Status} in the trailers of a call, written by servers
 * and read by clients.
 *
 * <p>Here lives the way between a call's status and the published messages of {@code
 * google/rpc/error_details.proto}. What does not belong here: anything that a call needs that has
 * no details.
 */
@NullMarked
package dev.gannet.status;

import org.jspecify.annotations.NullMarked;
