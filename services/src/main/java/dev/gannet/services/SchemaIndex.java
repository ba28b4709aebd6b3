package dev.gannet.services;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.GenericDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.protobuf.MethodSchema;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The definitions in the {@code .proto} files of some services, by name: the files of the services
 * and all that they import. Immutable after construction. If two files or two definitions have the
 * same name, the first one is used.
 */
final class SchemaIndex {
  private static final Logger LOG = System.getLogger(SchemaIndex.class.getName());

  private final List<ServerServiceDefinition> services;
  private final Set<String> serviceNames = new TreeSet<>();
  private final Map<String, FileDescriptor> files = new HashMap<>();
  private final Map<String, FileDescriptor> symbols = new HashMap<>();
  private final Set<String> messages = new HashSet<>();
  private final Map<String, NavigableMap<Integer, FileDescriptor>> extensions = new HashMap<>();

  private SchemaIndex(List<ServerServiceDefinition> services) {
    this.services = services;
  }

  static SchemaIndex of(List<ServerServiceDefinition> services) {
    SchemaIndex index = new SchemaIndex(services);
    for (ServerServiceDefinition service : services) {
      index.serviceNames.add(service.serviceName());
      service.methods().forEach(index::add);
    }
    return index;
  }

  /** Whether it is the index of exactly these services. */
  boolean isOf(List<ServerServiceDefinition> others) {
    return services.equals(others);
  }

  /** All services by their full names, sorted. */
  Set<String> serviceNames() {
    return serviceNames;
  }

  Optional<FileDescriptor> file(String name) {
    return Optional.ofNullable(files.get(name));
  }

  /** The file that defines a full name of Protocol Buffers. */
  Optional<FileDescriptor> fileOfSymbol(String fullName) {
    return Optional.ofNullable(symbols.get(fullName));
  }

  Optional<FileDescriptor> fileOfExtension(String messageType, int number) {
    return Optional.ofNullable(extensions.get(messageType)).map(it -> it.get(number));
  }

  boolean hasMessage(String fullName) {
    return messages.contains(fullName);
  }

  /** The numbers of all known extensions of a message, ascending. */
  Set<Integer> extensionNumbers(String messageType) {
    NavigableMap<Integer, FileDescriptor> numbers = extensions.get(messageType);
    return numbers == null ? Set.of() : numbers.navigableKeySet();
  }

  /** A schema that cannot be linked must not prevent the others from being shown. */
  private void add(ServerMethodDefinition<?, ?> method) {
    Optional<MethodSchema> schema = MethodSchema.of(method.method());
    try {
      schema.ifPresent(it -> addFile(it.service().getFile()));
    } catch (RuntimeException | LinkageError e) {
      LOG.log(Level.WARNING, "the schema of " + method + " cannot be read", e);
    }
  }

  private void addFile(FileDescriptor file) {
    if (files.putIfAbsent(file.getName(), file) != null) {
      return;
    }
    for (ServiceDescriptor service : file.getServices()) {
      addSymbol(service);
      service.getMethods().forEach(this::addSymbol);
    }
    file.getMessageTypes().forEach(this::addMessage);
    file.getEnumTypes().forEach(this::addEnum);
    file.getExtensions().forEach(this::addExtension);
    file.getDependencies().forEach(this::addFile);
  }

  private void addMessage(Descriptor message) {
    addSymbol(message);
    messages.add(message.getFullName());
    message.getFields().forEach(this::addSymbol);
    message.getOneofs().forEach(this::addSymbol);
    message.getNestedTypes().forEach(this::addMessage);
    message.getEnumTypes().forEach(this::addEnum);
    message.getExtensions().forEach(this::addExtension);
  }

  /** An enum value belongs to the scope of its type's parent, as in C++. */
  private void addEnum(EnumDescriptor type) {
    addSymbol(type);
    String full = type.getFullName();
    String scope = full.substring(0, full.length() - type.getName().length());
    type.getValues().forEach(it -> symbols.putIfAbsent(scope + it.getName(), type.getFile()));
  }

  private void addExtension(FieldDescriptor extension) {
    addSymbol(extension);
    extensions
        .computeIfAbsent(extension.getContainingType().getFullName(), it -> new TreeMap<>())
        .putIfAbsent(extension.getNumber(), extension.getFile());
  }

  private void addSymbol(GenericDescriptor definition) {
    symbols.putIfAbsent(definition.getFullName(), definition.getFile());
  }
}
