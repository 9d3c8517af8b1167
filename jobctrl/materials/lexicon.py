"""Words the gates know: technologies, and verbs by strength. Compiled for this project; extend freely."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _names(text: str) -> frozenset[str]:
    return frozenset(" ".join(name.split()) for name in text.split("|"))


# Names that are ordinary words too: only this spelling, and only away from the start of a sentence, is a skill.
HOMOGRAPHS = _words(
    """
    Access Ada Apex Assembly Backbone Bash Beam Blender Boost Bootstrap Celery Chef Consul Cypress Dart Delphi Druid
    Echo Elm Ember Excel Express Fiber Flask Flow Flutter Gin Helm Hive Ionic Jasmine Jest Julia Lambda Maven Meteor
    Mocha NATS Nomad Oracle PMP Packer Phoenix Pig Play Prefect Presto Puppet REST ROS Rails Ray React Ruby Rust SAP
    SAS SEO SOAP Salt Sass Scala Sentry Sketch Snowflake Solid Spark Spring Storm Stripe Svelte Swift Torch Unity
    Vault Vite Vue Word Workday YARN Zig
    """
)

SKILLS = _names(
    """
    .NET | Active Directory | Adobe Illustrator | After Effects | Airbyte | Airflow | Airtable | Akka | Amazon
    Redshift | Android | Angular | Ansible | Apache Flink | Apache Iceberg | ArangoDB | Arduino | Argo CD | ArgoCD |
    ASP.NET | AutoCAD | AWS | Azure | Azure DevOps | BigQuery | Bitbucket | Blazor | Blockchain | Bloomberg | C# |
    C++ | Cassandra | CentOS | CI/CD | CircleCI | CISSP | ClickHouse | Clojure | Cloudflare | CloudFormation | COBOL
    | CockroachDB | Confluence | CosmosDB | CouchDB | CSS | CUDA | Cypher | D3.js | Dagster | Databricks | Datadog |
    DATEV | DB2 | dbt | Debian | Delta Lake | Django | Docker | DVC | DynamoDB | EC2 | Elastic Stack | Elasticsearch
    | Elixir | Erlang | ETL | F# | FastAPI | Figma | Firebase | Flink | Fortran | GCP | GDPR | GDScript | ggplot2 |
    Git | GitHub Actions | GitLab | GitLab CI | Golang | Google Ads | Google Analytics | Google Cloud | Grafana |
    GraphQL | Groovy | gRPC | Hadoop | Haskell | Heroku | Hibernate | HIPAA | HTML | HTTP/2 | HubSpot | Hugging Face
    | IFRS | InDesign | InfluxDB | IntelliJ | iOS | ISO 27001 | Istio | ITIL | Java | JavaScript | JAX | Jenkins |
    Jira | jQuery | JSP | JUnit | Kafka | Kanban | Keras | Kibana | Kinesis | Kotlin | Kubernetes | LangChain |
    Laravel | LaTeX | LightGBM | Linux | LlamaIndex | LLVM | Logstash | Looker | Lua | Magento | Mailchimp | MariaDB
    | Marketo | MATLAB | Matplotlib | Memcached | Microservices | MLflow | MLOps | MongoDB | MQTT | MySQL | Neo4j |
    NestJS | NetSuite | Next.js | Nginx | NLP | Node.js | NoSQL | Numba | NumPy | Nuxt | OAuth | OCaml | ONNX |
    OpenAPI | OpenCV | OpenGL | OpenShift | OpenStack | OpenTelemetry | PagerDuty | Pandas | PCI DSS | Perl |
    Photoshop | PHP | PL/SQL | Playwright | Plotly | Polars | PostGIS | Postgres | PostgreSQL | Power BI |
    PowerShell | Premiere Pro | PRINCE2 | Prometheus | Protobuf | Pulumi | PySpark | Pytest | Python | PyTorch | Qt
    | QuickBooks | RabbitMQ | React Native | Redis | Redshift | Redux | RxJS | S3 | SageMaker | Salesforce |
    scikit-learn | Scrum | Selenium | Sequelize | ServiceNow | SharePoint | Shopify | Six Sigma | Snowpark | SOC 2 |
    Solidity | SolidWorks | Solr | SonarQube | spaCy | Splunk | Spring Boot | SPSS | SQL | SQL Server | SQLAlchemy |
    SQLite | Stata | Storybook | Streamlit | Supabase | SVN | Symfony | Tableau | Tailwind | TensorFlow | Terraform
    | Terragrunt | TimescaleDB | Trino | TypeScript | Ubuntu | UML | Unreal Engine | US GAAP | VBA | Vercel |
    Verilog | Vertex AI | VHDL | Visual Basic | VMware | WebAssembly | WebGL | Webpack | WebRTC | WebSockets |
    WordPress | Xamarin | Xcode | Xero | XGBoost | Zabbix | Zapier | Zendesk
    """
)

HELPED = _words(
    """
    assist assisted assisting contribute contributed contributing help helped helping participate participated
    participating support supported supporting aided joined involved shadowed observed co-authored collaborated
    exposure familiarized learned studied attended
    """
)
DID = _words(
    """
    built build building wrote write writing developed develop developing implemented implement implementing created
    create creating delivered deliver delivering designed design designing maintained maintain migrated migrate
    automated automate automating improved improve improving reduced reduce increased cut shipped ship launched
    introduced optimized optimised refactored tested analysed analyzed configured deployed integrated ran run
    rewrote redesigned re-engineered reworked trained mentored taught co-led co-founded co-managed coordinated
    """
)
LED = _words(
    """
    led lead leading leads managed manage managing owned own owning directed direct directing headed heading
    spearheaded spearheading founded established pioneered oversaw overseeing supervised supervising orchestrated
    championed governed chaired architected drove drive driving transformed masterminded commanded
    """
)
