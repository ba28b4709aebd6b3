/**
 * What applications can choose about connections, alike on clients and servers: limits, budgets,
 * socket options and event loops. Nothing here opens a connection.
 */
@NullMarked
package dev.gannet.api.transport;

import org.jspecify.annotations.NullMarked;
