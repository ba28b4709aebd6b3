/**
 * Options of connections for applications, the same for clients and servers: limits, budgets,
 * socket options and event loops. Nothing here opens a connection.
 */
@NullMarked
package dev.gannet.api.transport;

import org.jspecify.annotations.NullMarked;
