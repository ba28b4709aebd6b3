/**
 * What servers offer to those who run them: health checks, reflection, channelz, and logs of calls.
 * Each is off unless it is added to a server.
 *
 * <p>Here live the services and nothing that they show: that comes from the server's snapshots and
 * from the descriptors that generated code carries. The packages below hold the generated classes
 * of the published protocols, under names of our own. What does not belong here: anything that a
 * server needs in order to serve.
 */
@NullMarked
package dev.gannet.services;

import org.jspecify.annotations.NullMarked;
