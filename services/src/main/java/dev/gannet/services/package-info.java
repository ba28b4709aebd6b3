/**
 * Services for operators: health checks, reflection, channelz, and logs of calls. Each is off
 * unless it is added to a server.
 *
 * <p>Contains the services, but not the data that they show: that comes from the server's snapshots
 * and from the descriptors in generated code. The subpackages contain the generated classes of the
 * published protocols, in our own Java packages. Does not belong here: anything that a server needs
 * in order to serve.
 */
@NullMarked
package dev.gannet.services;

import org.jspecify.annotations.NullMarked;
