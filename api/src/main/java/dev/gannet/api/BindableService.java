package dev.gannet.api;

/**
 * Something that can be added to a server, such as an implementation of a generated service
 * interface.
 */
public interface BindableService {
  /** The service with this object as its handler. */
  ServerServiceDefinition bindService();
}
