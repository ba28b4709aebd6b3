package dev.gannet.api;

/**
 * Something that can be added to a server, such as an implementation of a generated service
 * interface, or a {@link ServerServiceDefinition}. For applications to implement; new methods will
 * have a default. They will be named {@code bindService}, too: the other names belong to the
 * methods of services.
 */
public interface BindableService {
  /** The service with this object as its handler. */
  ServerServiceDefinition bindService();
}
