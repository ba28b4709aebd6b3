/**
 * Statuses with details: {@code google.rpc.Status} in the trailers of a call, written by servers
 * and read by clients.
 *
 * <p>Converts between a call's status and the published messages of {@code
 * google/rpc/error_details.proto}. Does not belong here: anything that calls without details need.
 */
@NullMarked
package dev.gannet.status;

import org.jspecify.annotations.NullMarked;
