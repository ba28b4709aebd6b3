package dev.gannet.api;

/** Something that can be added to a server: what generated service interfaces are. */
public interface BindableService {
  /** The service with this object as its handler. */
  ServerServiceDefinition bindService();
}
