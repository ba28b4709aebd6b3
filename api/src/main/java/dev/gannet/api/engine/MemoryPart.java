package dev.gannet.api.engine;

/** What an engine keeps for a memory budget of users. Safe for all threads. */
public interface MemoryPart {
  /** The memory that connections use now, in bytes, as far as they have reported it. */
  long heldBytes();
}
